// New sizes for a model that is in memory, for `make bench-peers`.
//
// Reads a line `PATH<tab>SIZE<tab>SIZE...`: the model is compiled to a shape program (once, while lines name
// the same), whose symbols are then all of these sizes in turn. Answers
// `done<tab>RUN<tab>WRITE<tab>NODES<tab>EXPRESSIONS <tab>CHECKS` in one line, with the nanoseconds of a run
// and of writing the shapes of all values, or `fails<tab>WHY`.
#ifndef DIMWISE_BENCH_PEERS_RUN_PROGRAMS_H_
#define DIMWISE_BENCH_PEERS_RUN_PROGRAMS_H_

namespace dimwise {

int ServePrograms();

}  // namespace dimwise

#endif  // DIMWISE_BENCH_PEERS_RUN_PROGRAMS_H_
