import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import type { KitProblem } from '../../kit-manifest'

type JsonFileOutcome<Data> = { done: true; data: Data } | { done: false; problems: KitProblem[] }

/** Reads a file of the site folder; problems name the line. */
export function readJsonFile<Data>(
  folder: string,
  file: string,
  schema: z.ZodType<Data>,
): JsonFileOutcome<Data> {
  const text = readFileSync(join(folder, file), 'utf8')
  const json = parseJson(text)
  if (json instanceof Error) return { done: false, problems: [{ message: json.message, file }] }
  const parsed = schema.safeParse(json)
  if (parsed.success) return { done: true, data: parsed.data }
  const problems = parsed.error.issues.map(({ path, message }) => ({
    message: path.length > 0 ? `${path.join('.')}: ${message}` : message,
    file,
    line: lineOf(text, path),
  }))
  return { done: false, problems }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (problem) {
    return problem
  }
}

/** The line of the last key of the path that the text has. */
function lineOf(text: string, path: readonly PropertyKey[]): number | undefined {
  let at = 0
  for (const key of path) {
    const next = text.indexOf(JSON.stringify(String(key)), at)
    if (next === -1) break
    at = next
  }
  return text.slice(0, at).split('\n').length
}
