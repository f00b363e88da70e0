import type { CheckedEntries } from '../build/collections'
import type { EntrySchema, SchemaIssue } from './collections'

interface CheckRequest {
  asked: readonly { collection: string; file: string; fields: unknown }[]
}

interface SchemaModule {
  file: string
  load: () => Promise<{ default?: unknown }>
}

type CheckedFile = CheckedEntries[number]

/** Checks the entries that it is sent by the schemas of a site folder, in a process of its own. */
export function startEntryCheck(schemas: Readonly<Record<string, SchemaModule>>): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.on('message', (request: CheckRequest) => void answer(request, schemas))
}

async function answer(
  { asked }: CheckRequest,
  schemas: Readonly<Record<string, SchemaModule>>,
): Promise<void> {
  const checked: CheckedFile[] = []
  for (const [name, module] of Object.entries(schemas)) {
    const schema = await loadSchema(module)
    if ('problem' in schema)
      checked.push({ file: module.file, issues: [{ message: schema.problem, path: [] }] })
    else
      for (const { collection, file, fields } of asked)
        if (collection === name) checked.push({ file, issues: await issuesOf(schema.found, fields) })
  }
  process.send?.(checked.filter(({ issues }) => issues.length > 0))
}

async function loadSchema({ load }: SchemaModule): Promise<{ found: EntrySchema } | { problem: string }> {
  try {
    const { default: found } = await load()
    return isSchema(found) ? { found } : { problem: 'Its default export is no schema of zod.' }
  } catch (problem) {
    return { problem: `It cannot be loaded: ${messageOf(problem)}` }
  }
}

const isSchema = (value: unknown): value is EntrySchema =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value

async function issuesOf(schema: EntrySchema, fields: unknown): Promise<CheckedFile['issues']> {
  try {
    const { issues = [] } = await schema['~standard'].validate(fields)
    return issues.map((issue) => ({ message: issue.message, path: pathOf(issue) }))
  } catch (problem) {
    return [{ message: `Its schema threw: ${messageOf(problem)}`, path: [] }]
  }
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

const pathOf = ({ path = [] }: SchemaIssue): (string | number)[] =>
  path.map((part) => {
    const key = typeof part === 'object' ? part.key : part
    return typeof key === 'number' ? key : String(key)
  })
