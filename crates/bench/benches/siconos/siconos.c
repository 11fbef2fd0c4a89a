/* Solves one contact problem with Siconos and prints "seconds info".
 * Usage: siconos SOLVER TOLERANCE PROBLEM IMPULSES
 * PROBLEM: int32 dim, contacts, entries; then doubles mu, q; int32 rows, columns; doubles W. */
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void need(size_t got, size_t wanted) {
  if (got != wanted) exit(3);
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int solver = atoi(argv[1]);
  FILE *file = fopen(argv[3], "rb");
  if (!file) return 3;
  int head[3];
  need(fread(head, sizeof(int), 3, file), 3);
  int dim = head[0], contacts = head[1], entries = head[2], rows = dim * contacts;
  double *mu = malloc(sizeof(double) * contacts), *q = malloc(sizeof(double) * rows);
  int *i = malloc(sizeof(int) * entries), *j = malloc(sizeof(int) * entries);
  double *w = malloc(sizeof(double) * entries);
  need(fread(mu, sizeof(double), contacts, file), contacts);
  need(fread(q, sizeof(double), rows, file), rows);
  need(fread(i, sizeof(int), entries, file), entries);
  need(fread(j, sizeof(int), entries, file), entries);
  need(fread(w, sizeof(double), entries, file), entries);
  fclose(file);
  /* Small problems dense, as Siconos' own tests have them; large ones sparse. */
  int dense = rows <= 300 || solver == SICONOS_FRICTION_2D_LEMKE;
  NumericsMatrix *matrix = NM_create(dense ? NM_DENSE : NM_SPARSE, rows, rows);
  if (!dense) NM_triplet_alloc(matrix, entries);
  for (int k = 0; k < entries; ++k) NM_zentry(matrix, i[k], j[k], w[k], 0.0);
  FrictionContactProblem *problem = frictionContactProblem_new_with_data(dim, contacts, matrix, q, mu);
  SolverOptions *options = solver_options_create(solver);
  options->dparam[SICONOS_DPARAM_TOL] = atof(argv[2]);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  double *r = calloc(rows, sizeof(double)), *u = calloc(rows, sizeof(double));
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int info = dim == 3 ? fc3d_driver(problem, r, u, options) : fc2d_driver(problem, r, u, options);
  clock_gettime(CLOCK_MONOTONIC, &end);
  file = fopen(argv[4], "wb");
  if (!file) return 3;
  need(fwrite(r, sizeof(double), rows, file), rows);
  fclose(file);
  printf("\n%.9f %d\n", (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec), info);
  return 0;
}
