import { cpSync } from 'node:fs'
import { inject } from 'vitest'
import type { Engine } from '#engine/engine'
import { openProduct } from '#server/product'
import { aWorld, memberHelpers } from '#test/product/fixture'

/** No events were ever stored; the product decides on the right before it asks. */
export const emptyEngine = {
  query: async () => [],
  health: () => ({ form: 'remote', status: 'starting', since: new Date(0), restarts: 0 }),
} as unknown as Engine

/** Puts two projects and their members into a new store in the folder, which tests copy: hashing passwords takes longer than most of them. */
export async function aCast(folder: string) {
  cpSync(inject('migratedStore'), folder, { recursive: true })
  const product = await openProduct({ store: { folder }, world: aWorld('cast') })
  const { aProject, aMember, signedIn } = memberHelpers(product)
  const acme = await aProject({ name: 'Acme' })
  const other = await aProject({ name: 'Other' })
  const byRole = {
    owner: await aMember({ role: 'owner', name: 'Ana Berg' }),
    admin: await aMember({ role: 'admin', name: 'Adam Admin' }),
    editor: await aMember({ role: 'editor', name: 'Ben Cole' }),
    viewer: await aMember({ role: 'viewer', name: 'Vera Viewer' }),
  }
  const others = {
    stranger: await aMember({ role: 'owner', project: other, name: 'Stan Stranger' }),
    somebody: await aMember({ role: 'editor', name: 'Sam Somebody' }),
    anOwner: await aMember({ role: 'owner', name: 'Orla Owner' }),
  }
  const viewer = await signedIn(byRole.owner)
  await product.close()
  return { acme, other, byRole, ...others, ana: byRole.owner, ben: byRole.editor, viewer }
}
