declare const brand: unique symbol;

/**
 * A `T` that only the constructors named after the brand can make: a Quantity is not a Price, and a product of the two is neither.
 *
 * @example `type Price = Brand<Decimal, 'Price'>`
 */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
