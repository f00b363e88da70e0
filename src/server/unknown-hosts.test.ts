import { afterEach, expect, test, vi } from 'vitest'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { RawConnection } from '#test/start/raw-connection'
import { usualLimits } from '#http/limits'
import { operator } from '#projects/access'
import { readConfig } from './config'
import { type Front, openFront } from './internal/front'
import { lookUpLimits } from './internal/unknown-hosts'
import { openLog } from './log'
import type { Product } from './product'

const viewer = operator('Ana')
const opened: Front[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((front) => front.drain()))
})

/** A front whose site answers on the hosts that its process knows. */
async function aFrontOf(product: Product): Promise<Front> {
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join('\n'))
  const log = openLog({ level: 'silent', format: 'json', destination: { write: () => {} } })
  const front = await openFront({ config: reading.config, log, limits: usualLimits() })
  front.use({
    product,
    site: {
      owns: () => true,
      isSite: (host) => product.posts.published.siteAt(host)?.origin === `http://${host}`,
      answer: ({ response }) => void response.end('the site'),
      cachedPage: () => undefined,
    },
  })
  opened.push(front)
  return front
}

async function statusAt(host: string, { port }: Front): Promise<number | undefined> {
  const connection = await RawConnection.open(port)
  const [response] = await connection.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`).waitForResponses(1)
  connection.close()
  return response?.status
}

test('a site answers at the URL that another process saved a moment ago', async () => {
  // no process polls for changes
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const { product, anotherProcess, aProject } = await openTestProduct()
  const { id } = await aProject()
  const front = await aFrontOf(await anotherProcess())
  expect(await statusAt('herbs.example', front)).toBe(421)
  requireDone(await product.posts.sites.change(id, { address: 'http://garden.example' }, viewer))
  expect(await statusAt('garden.example', front)).toBe(200)
  expect(await statusAt('herbs.example', front)).toBe(421)
})

test('unknown hosts make the store read its changes only so often', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { product } = await openTestProduct()
  const front = await aFrontOf(product)
  const catchUp = vi.spyOn(product.changes, 'catchUpTo')

  for (const host of ['one.example', 'one.example', 'ONE.example']) {
    expect(await statusAt(host, front)).toBe(421)
  }
  expect(catchUp).toHaveBeenCalledTimes(lookUpLimits.host.limit)

  const hosts = Array.from({ length: 30 }, (_, index) => `host-${index}.example`)
  const statuses = await Promise.all(hosts.map((host) => statusAt(host, front)))
  expect(new Set(statuses)).toEqual(new Set([421]))
  expect(catchUp).toHaveBeenCalledTimes(lookUpLimits.everyHost.limit)

  vi.setSystemTime(Date.now() + lookUpLimits.everyHost.windowMs)
  expect(await statusAt('one.example', front)).toBe(421)
  expect(catchUp).toHaveBeenCalledTimes(lookUpLimits.everyHost.limit + 1)
})
