import { handleApiRequest } from '#api/endpoints'
import { operator, scopes } from '#projects/access'
import type { Product } from '#server/product'
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
  engine,
  held = scopes,
}: Parameters<typeof openTestProduct>[0] & { held?: readonly string[] } = {}): Promise<ApiProgram> {
  const { product, world, aProject } = await openTestProduct({ ...(engine && { engine }) })
  const { id, slug } = await aProject()
  const askWith = async (kept: readonly string[]): Promise<Ask> => {
    const wanted = { name: 'Script', scopes: kept }
    const { text } = requireDone(await product.projects.keys.create(id, wanted, operator()))
    return client(product, { slug, key: text })
  }
  return { product, world, id, ask: await askWith(held), askWith }
}

const client =
  (product: Product, { slug, key }: { slug: string; key: string }): Ask =>
  async (method, path, body) => {
    const [below = '', query = ''] = path.split('?')
    const answer = await handleApiRequest(
      {
        method,
        path: `/projects/${slug}${below}`,
        query: new URLSearchParams(query),
        authorization: `Bearer ${key}`,
        body: async () => new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
        origin: testOrigin,
      },
      product,
    )
    // the description defines the response; here it is compared
    return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) as Record<string, unknown> }
  }
