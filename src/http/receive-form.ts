import { acquireActionSlot, type ActionLimits } from './action-limits'
import { type BodyRate, type RequestBody, watchBody } from './body'
import { attachReadBody } from './forward'
import { bodyLimits } from './limits'
import { isPromisedForm, mostFields, pageFormOf } from './page-forms'
import type { FrontRefusal } from './refusals'
import type { Exchange } from './trusted-request'

interface FormReception {
  /** Whether the request has the session of a member. */
  isSignedIn: () => Promise<boolean>
  limits: ActionLimits
  body: { idleMs: number; rate: BodyRate }
  /** Refuses the request; up to twice as many bytes are still read. */
  refuse: (refusal: FrontRefusal, mostBytes: number) => void
}

/**
 * Receives a form for the pages, from the cheapest check to the dearest: its address, its sender, its size, its bytes,
 * its shape, a slot. Returns undefined if it was refused, or if its sender has left.
 */
export async function receiveForm(
  exchange: Exchange,
  reception: FormReception,
): Promise<RequestBody | undefined> {
  const { request, response, trustedRequest } = exchange
  const { limits, refuse } = reception
  const form = pageFormOf(request, trustedRequest.path)
  if (!form) return refused('wrong-method', bodyLimits.none)
  const isMember = await reception.isSignedIn()
  const mostBytes = isMember ? form.memberBytes : form.visitorBytes
  const announced = Number(request.headers['content-length'] ?? 0)
  if (!isMember && announced > mostBytes && announced <= form.memberBytes)
    return refused('signed-out', form.memberBytes)
  const sender = isMember ? 'members' : 'visitors'
  const received = limits[sender].memoryOf(exchange)
  const rules = { ...reception.body, mostBytes, received, uncountedBytes: 0 }
  const body = watchBody(request, response, rules, (refusal) => refuse(refusal, mostBytes))
  if (!body) return undefined
  const bytes = await body.read()
  if (!isPromisedForm(bytes, request.headers, form, mostFields[sender]))
    return refused('malformed-form', mostBytes)
  if (!(await acquireActionSlot(exchange, limits, sender))) return refused('overloaded', mostBytes)
  attachReadBody(request, bytes)
  return response.destroyed ? undefined : { read: async () => bytes }

  function refused(refusal: FrontRefusal, bytesToRead: number): undefined {
    refuse(refusal, bytesToRead)
  }
}
