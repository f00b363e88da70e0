/** Paths of the APIs by which other products are read, whose clients Tilth understands, and the pages that say so. */
const readingApis: readonly { path: RegExp; product: string; page: string }[] = [
  // what it has of Plausible's is in src/api/plausible
  {
    path: /^\/api\/v1\/sites(?:\/|$)/,
    product: 'Plausible',
    page: 'docs/sdk-plausible.md',
  },
  { path: /^\/api\/v0(?:\/|$)/, product: 'GoatCounter', page: 'docs/sdk-goatcounter.md' },
  { path: /^\/api\/(?:2\.0|query)(?:\/|$)/, product: 'Mixpanel', page: 'docs/sdk-mixpanel.md' },
  { path: /^\/api\/[23](?:\/|$)/, product: 'Amplitude', page: 'docs/sdk-amplitude.md' },
  {
    path: /^\/api\/export(?:\/|$)/,
    product: 'Simple Analytics',
    page: 'docs/sdk-simple-analytics.md',
  },
]

/** Says where to read on about an unknown address of another product's API; undefined for other addresses. */
export function otherProductHint(path: string): string | undefined {
  const api = readingApis.find((one) => one.path.test(path))
  return (
    api &&
    `Tilth has nothing at ${path}. ${api.page} says what it has of ${api.product}, and /api/v1/openapi.json describes its own API.`
  )
}
