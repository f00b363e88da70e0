import { expect, onTestFinished, test } from 'vitest'
import { oauthPaths } from '#agent-access/addresses'
import { openTestProduct } from '#test/product/fixture'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'

/** A front behind a proxy on this machine, which says from which network each request comes. */
async function aFrontBehindProxy() {
  const { product } = await openTestProduct()
  const reading = readConfig({ PORT: '0', TILTH_TRUST_PROXY: 'loopback' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const log = openLog({ level: 'silent', format: 'json' })
  const front = await openFront({ config: reading.config, log, dialects: [] })
  front.use({ product })
  onTestFinished(() => front.drain())
  return (path: string, body: string, from: string) => {
    const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
    const headers = { 'content-type': type, 'x-forwarded-for': from }
    return fetch(`http://127.0.0.1:${front.port}${path}`, { method: 'POST', headers, body })
  }
}

const registration = JSON.stringify({ client_name: 'Desk', redirect_uris: ['http://127.0.0.1/callback'] })
const guess = 'grant_type=authorization_code&client_id=none&code=guessed&code_verifier=guessed'

const limits = [
  { path: oauthPaths.register, body: registration, most: 30, status: 201, wait: 'an hour', seconds: '3600' },
  { path: oauthPaths.token, body: guess, most: 300, status: 400, wait: 'a minute', seconds: '60' },
]

test.each(limits)(
  '$path answers $most requests of a network in $wait, and holds no other network',
  async ({ path, body, most, status, wait, seconds }) => {
    const ask = await aFrontBehindProxy()
    const attempts = Array.from({ length: most + 5 }, (_, n) => ask(path, body, `203.0.113.${n % 250}`))
    const answers = await Promise.all(attempts)
    const refused = answers.filter((answer) => answer.status !== status)

    expect(refused.map((answer) => answer.status)).toEqual([429, 429, 429, 429, 429])
    for (const answer of refused) {
      const message = `Too many requests from your network. Wait ${wait} and try again.`
      expect(answer.headers.get('retry-after')).toBe(seconds)
      expect(await answer.json()).toMatchObject({ error: { message } })
    }
    expect((await ask(path, body, '198.51.100.1')).status).toBe(status)
  },
)
