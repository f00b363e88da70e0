/** What an action is given comes from outside, whatever its caller here would send. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export const asFormData = (value: unknown): FormData => (value instanceof FormData ? value : new FormData())

export const formFields = (value: unknown) => Object.fromEntries(asFormData(value))
