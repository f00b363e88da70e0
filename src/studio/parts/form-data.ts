/** The arguments of an action come from outside, so their types are unknown. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** NaN unless it is a number or the text of one; other values may throw when they are converted. */
export const asNumber = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN

export const asFormData = (value: unknown): FormData => (value instanceof FormData ? value : new FormData())

export const formFields = (value: unknown) => Object.fromEntries(asFormData(value))
