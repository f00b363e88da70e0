'use server'

import { redirect } from 'next/navigation'
import { paths } from '../../../../paths'
import { getProduct } from '../../../../product'
import { beginSession, currentOrigin } from '../../../../viewer'
import type { Answer } from '../../../answer'
import { fieldsIn } from '../../../given'
import { answering } from '../../../refusals'

export async function setUp(_previous: Answer | undefined, form: unknown): Promise<Answer> {
  const { setup, signIn } = getProduct()
  const origin = await currentOrigin()
  const answer = await answering(() => setup.complete(fieldsIn(form), origin))
  if (!answer.done) return answer
  await beginSession(await signIn.welcome(answer.member, origin))
  return redirect(paths.project(answer.project.slug))
}
