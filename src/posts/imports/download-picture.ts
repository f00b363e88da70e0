import type { Outbound } from '#outbound/outbound'
import { failedOutcome, type Outcome } from '#projects/problems'

const mostBytes = 10 * 1024 * 1024
const mostRedirects = 3

/** Loads a picture of another server, which has to be a public one. */
export async function downloadPicture(
  outbound: Pick<Outbound, 'fetch'>,
  address: string,
  redirects = mostRedirects,
): Promise<Outcome<{ bytes: Uint8Array }>> {
  const loaded = await load(outbound, address)
  if (!loaded.done) return loaded
  const { response } = loaded
  const target = response.headers.get('location')
  if (target !== null && response.status >= 300 && response.status < 400) {
    const next = URL.parse(target, address)?.href
    return next === undefined || redirects === 0
      ? failedOutcome('It leads on and on.')
      : await downloadPicture(outbound, next, redirects - 1)
  }
  if (response.status !== 200) return failedOutcome(`The server answers ${response.status}.`)
  return { done: true, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Downloads a picture. Other servers fail in many ways, and none of them ends an import. */
async function load(
  outbound: Pick<Outbound, 'fetch'>,
  address: string,
): Promise<Outcome<{ response: Response }>> {
  try {
    const request = { method: 'GET', headers: { 'user-agent': 'Tilth', accept: 'image/*' } }
    return { done: true, response: await outbound.fetch(address, { ...request, mostBytes }) }
  } catch (problem) {
    return failedOutcome(problem instanceof Error ? problem.message : 'It does not answer.')
  }
}
