import { number } from '#ui/format'

/** Says how many people a form is about. */
export const matchText = (total: number): string =>
  total === 1 ? '1 person matches now.' : `${number(total)} people match now.`
