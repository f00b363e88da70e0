'use server'

import { redirect } from 'next/navigation'
import { getProduct } from '../../../../product'
import { beginSession, currentOrigin } from '../../../../viewer'
import { wayBack } from '../../../../way-back'
import type { Answer } from '../../../answer'
import { fieldsIn, formIn } from '../../../given'
import { answering } from '../../../refusals'

export async function signIn(_previous: Answer | undefined, form: unknown): Promise<Answer> {
  const origin = await currentOrigin()
  const answer = await answering(() => getProduct().signIn.signIn(fieldsIn(form), origin))
  if (!answer.done) return answer
  await beginSession(answer)
  return redirect(wayBack(formIn(form).get('to')))
}
