import { parse as parseYaml, YAMLParseError } from 'yaml'
import { type Outcome, failedOutcome } from '#projects/problems'

/** A Markdown file with front matter: fields between two lines of dashes at its beginning. */
export interface FrontMatterFile {
  fields: Readonly<Record<string, unknown>>
  body: string
}

const frontMatterPattern = /^\uFEFF?---[ \t]*\r?\n([^]*?)(?:\r?\n)?^---[ \t]*(?:\r?\n|$)/m

/** Reads front matter in the usual format. A file without it has only a body. */
export function readFrontMatter(text: string): Outcome<{ file: FrontMatterFile }> {
  const found = frontMatterPattern.exec(text)
  if (!found || found.index !== 0) return { done: true, file: { fields: {}, body: text } }
  const read = readYaml(found[1] ?? '')
  return read.done ? { done: true, file: { fields: read.front, body: text.slice(found[0].length) } } : read
}

function readYaml(yaml: string): Outcome<{ front: FrontMatterFile['fields'] }> {
  try {
    // limits aliases: a few lines can expand to gigabytes
    const fields: unknown = parseYaml(yaml, { maxAliasCount: 20 }) ?? {}
    return isFields(fields)
      ? { done: true, front: fields }
      : failedOutcome(
          'What stands between the dashes is no list of names and values, such as "title: Hello".',
        )
  } catch (problem) {
    return failedOutcome(`What stands between the dashes cannot be read: ${reasonOf(problem)}`)
  }
}

function reasonOf(problem: unknown): string {
  if (!(problem instanceof YAMLParseError)) return 'it refers to itself too often.'
  const [first = ''] = problem.message.split('\n')
  // the first line is that of the dashes
  const line = (problem.linePos?.[0].line ?? 0) + 1
  return `line ${line}: ${first.replace(/ at line.*$/, '')}.`
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
