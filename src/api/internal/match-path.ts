/** /projects/acme against /projects/{project} gives { project: 'acme' }; undefined where they do not fit. */
export function matchPath(path: string, pattern: string): Record<string, string> | undefined {
  const pathSegments = path.split('/')
  const patternSegments = pattern.split('/')
  if (pathSegments.length !== patternSegments.length) return undefined
  const parts: Record<string, string> = {}
  for (const [index, want] of patternSegments.entries()) {
    const have = pathSegments[index] ?? ''
    if (!want.startsWith('{') && want !== have) return undefined
    if (want.startsWith('{')) parts[want.slice(1, -1)] = decoded(have)
  }
  return parts
}

/** A name with a wrong escape, such as `%zz`, is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
