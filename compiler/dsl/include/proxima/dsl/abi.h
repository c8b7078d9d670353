/* What an energy calls while it is traced. Implemented in compiler/dsl/abi.cpp; a material loaded at run time finds
 * these functions in the program. Nothing here throws: the first mistake is kept with its file and line and reported
 * when the trace ends, so that no exception has to cross the material's code. Handles name nodes of the current trace:
 * numbers, truth values, and bundles of several numbers.
 */
#ifndef PROXIMA_DSL_ABI_H
#define PROXIMA_DSL_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

unsigned proxima_dsl_constant(double value, const char* file, unsigned line);
/* op: a name of the operator table, simple or composite. */
unsigned proxima_dsl_apply(const char* op, const unsigned* operands, unsigned count, const char* file, unsigned line);
/* Number k of a bundle. */
unsigned proxima_dsl_part(unsigned bundle, unsigned k, const char* file, unsigned line);
unsigned proxima_dsl_integer_power(unsigned base, int exponent, const char* file, unsigned line);
/* Whether the handle is the constant 0, so that products with it need not be written. */
int proxima_dsl_is_zero(unsigned handle);

/* Component k of the strain measure of that name; nodes: of a stencil, otherwise 0. Matrices row by row. */
unsigned proxima_dsl_strain(const char* measure, unsigned nodes, unsigned k, const char* file, unsigned line);
/* The same formula of the previous strain. */
unsigned proxima_dsl_previous(unsigned handle, const char* file, unsigned line);
/* Component k of time_step, rest_length or rest_positions (of so many nodes). */
unsigned proxima_dsl_input(const char* kind, unsigned nodes, unsigned k, const char* file, unsigned line);

unsigned proxima_dsl_parameter(const char* name, const char* unit, double default_value, const char* file,
                               unsigned line);
unsigned proxima_dsl_signal(const char* name, const char* unit, double default_value, const char* file, unsigned line);
/* Narrows the open interval of allowed values. */
void proxima_dsl_parameter_bounds(unsigned parameter, double lower, double upper, const char* file, unsigned line);

/* These two return a number for the input, for the three calls after them. axis: three numbers, or null. */
unsigned proxima_dsl_direction(const char* name, const double* axis, const char* file, unsigned line);
unsigned proxima_dsl_history(const char* name, const unsigned* initial, unsigned count, const char* file,
                             unsigned line);
unsigned proxima_dsl_component(unsigned input, unsigned k, const char* file, unsigned line);
void proxima_dsl_update(unsigned history, const unsigned* values, unsigned count, const char* file, unsigned line);

/* Component k of an input of a function. */
unsigned proxima_dsl_function_input(const char* name, unsigned components, unsigned k, const char* file, unsigned line);
/* Numbers of a function's own; returns a number for them, for the next call. They start drawn from +-half_width, or
 * where that is below 0 from +-1/sqrt(fan_in). */
unsigned proxima_dsl_weights(const char* name, unsigned count, unsigned fan_in, unsigned seed, double half_width,
                             const char* file, unsigned line);
unsigned proxima_dsl_weight(unsigned weights, unsigned k, const char* file, unsigned line);
void proxima_dsl_output(const char* name, const unsigned* values, unsigned count, const char* file, unsigned line);

/* weight / 2 times the squared distance from the strain measure, all of it, to the closest point. */
unsigned proxima_dsl_projection(unsigned weight, const unsigned* strain, const unsigned* closest, unsigned count,
                                const char* file, unsigned line);

/* The point of a set that is closest to the given one, written to `point`. set: "rotation"; "within_stretches",
 * operands lower and upper; "with_determinant" and "on_sphere", one operand. */
void proxima_dsl_closest(const char* set, const unsigned* entries, unsigned count, const unsigned* operands,
                         unsigned operand_count, unsigned* point, const char* file, unsigned line);

/* Between enter and leave every node is said to be written at this place. */
void proxima_dsl_enter(const char* file, unsigned line);
void proxima_dsl_leave(void);
/* Where the energy that is being traced is defined. */
const char* proxima_dsl_place(unsigned* line);

void proxima_dsl_mistake(const char* message, const char* file, unsigned line);

void proxima_dsl_register(const char* name, unsigned (*body)(void), const char* file, unsigned line);
void proxima_dsl_register_dissipation(const char* name, unsigned (*body)(void), const char* file, unsigned line);
/* The body of a function returns 0. */
void proxima_dsl_register_function(const char* name, unsigned (*body)(void), const char* file, unsigned line);

#ifdef __cplusplus
}
#endif

#endif
