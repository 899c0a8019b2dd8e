#ifndef REHEARSAL_CGSL_SHIM_H
#define REHEARSAL_CGSL_SHIM_H

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf.h>
#include <gsl/gsl_statistics_double.h>

/* GSL keeps its generators in mutable globals, which Swift 6 refuses to read: constants come through functions. */
static inline const gsl_rng_type *rehearsal_gsl_rng_mt19937(void) { return gsl_rng_mt19937; }

/* By default GSL aborts the process on a domain error; callers look at the returned value instead. */
static inline void rehearsal_gsl_errors_are_values(void) { gsl_set_error_handler_off(); }

#endif
