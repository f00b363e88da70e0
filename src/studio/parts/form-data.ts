/** The arguments of an action come from outside, so their types are unknown. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export const asFormData = (value: unknown): FormData => (value instanceof FormData ? value : new FormData())

export const formFields = (value: unknown) => Object.fromEntries(asFormData(value))
