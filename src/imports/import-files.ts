import { createHash } from 'node:crypto'

/** A file of an export, as far as it identifies an import. */
export interface ImportFile {
  name: string
  bytes: number
}

/**
 * Orders the files of an import. Persons come last: what their export says of them is later than what events said. They
 * come first, with groups, where events only have to find them.
 */
export function inReadingOrder<File extends { name: string }>(
  files: readonly File[],
  { personsFirst = false }: { personsFirst?: boolean },
): File[] {
  const isLate = ({ name }: File): boolean =>
    personsFirst ? !/person|group/i.test(name) : /person/i.test(name)
  return files.toSorted((one, other) => Number(isLate(one)) - Number(isLate(other)))
}

/** Says what the same files are, so that an import that was interrupted continues. */
export function fingerprintOf(source: string, files: readonly ImportFile[]): string {
  const digest = createHash('sha256').update(source)
  for (const { name, bytes } of files) digest.update(`\n${name} ${bytes}`)
  return digest.digest('hex')
}

const mostNamesShown = 3

/** The name of an import, of the names of its files. */
export function importName(files: readonly Pick<ImportFile, 'name'>[]): string {
  const names = files.map(({ name }) => name)
  const text =
    names.length > mostNamesShown
      ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
      : names.join(', ')
  return text.slice(0, 500)
}
