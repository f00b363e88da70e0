/** What an action is given comes from outside, whatever its caller here would send. */
export const textIn = (given: unknown): string => (typeof given === 'string' ? given : '')

export const formIn = (given: unknown): FormData => (given instanceof FormData ? given : new FormData())

export const fieldsIn = (given: unknown) => Object.fromEntries(formIn(given))
