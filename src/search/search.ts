import { z } from 'zod'
import { EngineError } from '#engine/engine'
import { may, requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput } from '#projects/problems'
import { fuzzyScore } from '#ui/overlay/fuzzy-match'
import { isSearchKind, type SearchAnswer, type SearchKind, searchKinds, type SearchResult } from './result'
import { searchSources, type SearchDependencies } from './sources'

export const searchInput = z.object({
  text: z
    .string()
    .trim()
    .min(1, 'Type what to search for.')
    .max(200, 'Use at most 200 characters.')
    .meta({ description: 'Words of a name; letters may be missing or mistyped' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(5)
    .meta({ description: 'How many of each kind at most' }),
})

const references = z
  .array(z.object({ kind: z.string().refine(isSearchKind), id: z.string().min(1).max(300) }))
  .max(20)

/** Finds the things of a project by name: only kinds that the viewer may read. */
export class Search {
  constructor(private readonly dependencies: SearchDependencies) {}

  /** Returns the best of each kind. */
  async find(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<SearchAnswer>> {
    requireRight('project:read', projectId, viewer)
    const parsed = parseInput(searchInput, input)
    if (!parsed.done) return parsed
    const { text, limit } = parsed.value
    const answers = await Promise.all(
      readableKinds(projectId, viewer).map(async (kind) => {
        const source = searchSources(this.dependencies)[kind]
        const found = await unlessUnavailable(() => source.list(projectId, text, viewer))
        return { kind, found: found && (source.isRanked ? found : best(text, found)).slice(0, limit) }
      }),
    )
    return {
      done: true,
      results: answers.flatMap(({ found = [] }) => found),
      unavailable: answers.filter(({ found }) => !found).map(({ kind }) => kind),
    }
  }

  /** Returns the present names of things, in the given order. What is gone or may not be read is left out. */
  async named(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<SearchAnswer>> {
    requireRight('project:read', projectId, viewer)
    const parsed = parseInput(references, input)
    if (!parsed.done) return parsed
    const readable = readableKinds(projectId, viewer)
    const wanted = parsed.value.flatMap(({ kind, id }) =>
      isSearchKind(kind) && readable.includes(kind) ? [{ kind, id }] : [],
    )
    const found = await Promise.all(
      wanted.map(({ kind, id }) =>
        unlessUnavailable(() => searchSources(this.dependencies)[kind].find(projectId, id, viewer)),
      ),
    )
    return { done: true, results: found.filter((one) => one !== undefined), unavailable: [] }
  }
}

const readableKinds = (projectId: number, viewer: Viewer): SearchKind[] =>
  Object.keys(searchKinds)
    .filter(isSearchKind)
    .filter((kind) => may(searchKinds[kind].right, projectId, viewer))

/** Returns undefined if the engine does not answer; what the store holds is found without it. */
async function unlessUnavailable<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find()
  } catch (problem) {
    if (problem instanceof EngineError) return undefined
    throw problem
  }
}

function best(text: string, candidates: readonly SearchResult[]): SearchResult[] {
  return candidates
    .map((result) => ({ result, score: scoreOf(text, result) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ result }) => result)
}

/** Events and properties are known by what code calls them, too. */
const scoreOf = (text: string, { kind, name, id }: SearchResult): number =>
  Math.max(fuzzyScore(text, name), kind === 'event' || kind === 'property' ? fuzzyScore(text, id) : 0)
