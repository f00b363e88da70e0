import type { MemberViewer } from '#projects/access'
import { getProduct } from '#studio/product'
import type { AlertMember } from './recipients'

/** Recipients that need no confirmation. */
export async function membersOf(projectId: number, viewer: MemberViewer): Promise<AlertMember[]> {
  const all = await getProduct().projects.members.list(projectId, viewer)
  return all.map(({ member: { id, name, email } }) => ({ id, name, email }))
}
