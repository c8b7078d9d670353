/* What an energy calls while it is traced. Implemented in compiler/dsl/trace.cpp; a material loaded at run time finds
 * these functions in the program. Nothing here throws: the first mistake is kept with its file and line and reported
 * when the trace ends, so that no exception has to cross the material's code. Handles name nodes of the current trace.
 */
#ifndef PROXIMA_DSL_ABI_H
#define PROXIMA_DSL_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

unsigned proxima_dsl_constant(double value, const char* file, unsigned line);
/* The deformation gradient's entry number slot = 3 * row + column. */
unsigned proxima_dsl_deformation_gradient(unsigned slot, const char* file, unsigned line);
/* op: a name of the operator table. */
unsigned proxima_dsl_apply(const char* op, const unsigned* operands, unsigned count, const char* file, unsigned line);
unsigned proxima_dsl_integer_power(unsigned base, int exponent, const char* file, unsigned line);
/* Whether the handle is the constant 0, so that products with it need not be written. */
int proxima_dsl_is_zero(unsigned handle);

unsigned proxima_dsl_parameter(const char* name, const char* unit, double default_value, const char* file,
                               unsigned line);
/* Narrows the open interval of allowed values. */
void proxima_dsl_parameter_bounds(unsigned parameter, double lower, double upper, const char* file, unsigned line);

/* Between enter and leave every node is said to be written at this place. */
void proxima_dsl_enter(const char* file, unsigned line);
void proxima_dsl_leave(void);

void proxima_dsl_mistake(const char* message, const char* file, unsigned line);

void proxima_dsl_register(const char* name, unsigned (*body)(void), const char* file, unsigned line);

#ifdef __cplusplus
}
#endif

#endif
