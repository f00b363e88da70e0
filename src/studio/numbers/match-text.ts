import { plural, pluralWord } from '#ui/format'

/** Says how many people a form is about. */
export const matchText = (total: number): string =>
  `${plural(total, 'person', 'people')} ${pluralWord(total, 'matches', 'match')} now.`
