#ifndef REHEARSAL_CZLIB_SHIM_H
#define REHEARSAL_CZLIB_SHIM_H

#include <zlib.h>

#endif
