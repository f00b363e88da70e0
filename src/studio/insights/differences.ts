import type { InsightVersion } from '#insights/saved/saved-insights'

type InsightVersionFields = Pick<InsightVersion, 'name' | 'description' | 'question'>

/** The changes from one version to the next, a line for each part: "period: 30d → 90d". */
export function differences(before: InsightVersionFields, after: InsightVersionFields): string[] {
  const was = partsOf(before)
  const is = partsOf(after)
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((part) => {
    const [one, other] = [was.get(part), is.get(part)]
    return one === other ? [] : [`${part}: ${one ?? 'nothing'} → ${other ?? 'nothing'}`]
  })
}

function partsOf({ name, description, question }: InsightVersionFields): Map<string, string> {
  return new Map(leavesOf({ name, description, ...question }, ''))
}

/** "series 1 event: $pageview": places are counted as people do. */
function leavesOf(value: unknown, path: string): [string, string][] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value !== 'object') return [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, `${path} ${isList ? Number(key) + 1 : key}`.trim()),
  )
}
