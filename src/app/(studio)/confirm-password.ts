'use server'

import { requireViewer } from '../viewer'
import { getProduct } from '../product'
import type { Answer } from './answer'
import { fieldsIn } from './given'
import { answering } from './refusals'

export async function confirmPassword(form: unknown): Promise<Answer> {
  const viewer = await requireViewer()
  return await answering(() => getProduct().signIn.confirm(fieldsIn(form), viewer))
}
