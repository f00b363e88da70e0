import { describe, expect, test } from 'vitest'
import { openTestProduct, testOrigin } from '#test/product/fixture'
import type { ConnectionPath } from '#projects/session-proof'
import { checkProxy } from './proxy-check'
import { readTrustedProxies, type TrustedProxies } from './trusted-proxies'

/** Five sign-ins through this passage, as the doctor judges them. */
async function checkAfter(
  place: { address: string; via?: ConnectionPath },
  config: { addressesAreGiven?: boolean; trustedProxies?: TrustedProxies } = {},
) {
  const { product, aProject, aMember, folder } = await openTestProduct()
  await aProject()
  const member = await aMember()
  for (let time = 0; time < 5; time++)
    await product.signIn.welcome(member, { ...testOrigin, address: place.address }, { via: place.via })
  return await checkProxy({
    dataFolder: folder,
    storeUrl: undefined,
    addressesAreGiven: true,
    trustedProxies: { by: 'nobody' },
    ...config,
  })
}

describe('the doctor', () => {
  test('says TILTH_TRUST_PROXY where sign-ins came through a proxy that is not trusted', async () => {
    const finding = await checkAfter({ address: '203.0.113.0/24', via: 'untrusted-proxy' })

    expect(finding).toMatchObject({
      verdict: 'wrong',
      found: '5 of the latest 5 sign-ins came through a proxy that is not trusted.',
      remedy: expect.stringContaining('Set TILTH_TRUST_PROXY'),
    })
  })

  test.each(['127.0.0.0/24', '172.17.0.0/24', '10.1.2.0/24'])(
    'says it where everyone at a public address signs in from %s',
    async (address) => {
      expect(await checkAfter({ address })).toMatchObject({ verdict: 'wrong' })
    },
  )

  test.each<[string, Parameters<typeof checkAfter>]>([
    ['sign-ins come from the internet', [{ address: '203.0.113.0/24' }]],
    ['the proxy is trusted', [{ address: '203.0.113.0/24', via: 'trusted-proxy' }]],
    ['only this machine is expected', [{ address: '127.0.0.0/24' }, { addressesAreGiven: false }]],
    ['it is set', [{ address: '10.1.2.0/24' }, { trustedProxies: readTrustedProxies('1') }]],
  ])('finds nothing wrong where %s', async (_, given) => {
    expect(await checkAfter(...given)).toMatchObject({ verdict: 'ok' })
  })

  test('finds nothing wrong before the first start', async () => {
    const config = { storeUrl: undefined, addressesAreGiven: true, trustedProxies: { by: 'nobody' } } as const

    expect(await checkProxy({ ...config, dataFolder: '/nowhere' })).toMatchObject({ verdict: 'ok' })
  })
})
