import { handleApiRequest } from '#api/endpoints'
import { StreamedBody } from '#http/streamed-body'
import { operator, scopes } from '#projects/access'
import type { Product } from '#server/product'
import { describedAnswers } from '../rules/api-description'
import { openTestProduct, requireDone, testOrigin } from './fixture'

type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Record<string, unknown> }>

type OpenedProduct = Awaited<ReturnType<typeof openTestProduct>>

/** A program that asks the API about a project. */
export interface ApiProgram extends Pick<OpenedProduct, 'product' | 'world'> {
  /** The path below that of the project. */
  ask: Ask
  /** Asks with a key of these scopes alone. */
  askWith: (held: readonly string[]) => Promise<Ask>
  id: number
}

/** A program with a key of a new project. */
export async function anApiProgram({
  held = scopes,
  ...options
}: Parameters<typeof openTestProduct>[0] & { held?: readonly string[] } = {}): Promise<ApiProgram> {
  const { product, world, aProject } = await openTestProduct(options)
  const { id, slug } = await aProject()
  const askWith = async (kept: readonly string[]): Promise<Ask> => {
    const wanted = { name: 'Script', scopes: kept }
    const { text } = requireDone(await product.projects.keys.create(id, wanted, operator()))
    return await client(product, { slug, key: text })
  }
  return { product, world, id, ask: await askWith(held), askWith }
}

const client = async (product: Product, { slug, key }: { slug: string; key: string }): Promise<Ask> => {
  const call = async (method: string, path: string, query: string, body?: unknown) =>
    await handleApiRequest(
      {
        method,
        path,
        query: new URLSearchParams(query),
        authorization: `Bearer ${key}`,
        body: async () => new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
        origin: testOrigin,
      },
      product,
    )
  const expectDescribed = describedAnswers((await call('GET', '/openapi.json', '')).body)
  return async (method, address, sent) => {
    const [below = '', query = ''] = address.split('?')
    const path = `/projects/${slug}${below}`
    const { status, body: answered } = await call(method, path, query, sent)
    // the answer is compared with its description
    const body = JSON.parse(JSON.stringify(answered)) as Record<string, unknown>
    if (!(answered instanceof StreamedBody)) expectDescribed({ method, path, status, body })
    return { status, body }
  }
}
