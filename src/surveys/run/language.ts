/** The tags of an `Accept-Language` header, the most wanted first. */
export function acceptedLanguages(header: string | undefined): string[] {
  const weighted = (header ?? '').split(',').flatMap((part) => {
    const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/)
    const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
    return tag !== '' && tag !== '*' && weight > 0 ? [{ tag, weight }] : []
  })
  return weighted.toSorted((one, other) => other.weight - one.weight).map(({ tag }) => tag)
}
