// Measures shape programs of models in memory for `make bench-peers`.
//
// An input line is `PATH<tab>SIZE<tab>SIZE...`. The model is compiled to a shape program, once for
// consecutive lines with the same path. All its symbols are set to each of the sizes in turn. The answer is a
// line `done<tab>RUN<tab>WRITE<tab>NODES<tab>EXPRESSIONS<tab>CHECKS` with the nanoseconds of a run and of
// writing all shapes, or `fails<tab>REASON`.
#ifndef DIMWISE_BENCH_PEERS_RUN_PROGRAMS_H_
#define DIMWISE_BENCH_PEERS_RUN_PROGRAMS_H_

namespace dimwise {

int ServePrograms();

}  // namespace dimwise

#endif  // DIMWISE_BENCH_PEERS_RUN_PROGRAMS_H_
