import { callKit } from '#app/(site)/kit/render-kit'
import { currentVisitIfAny } from '#app/(site)/current-visit'
import { notFoundResponse } from '#app/(site)/responses'
import { callHeader, calledHeader, readCall, writeMessage } from '#site-kit/call-messages'

export const dynamic = 'force-dynamic'

/** Calls a route of the site folder, or the action of a form, for the front (site-serving/site-calls.ts). */
export async function POST(request: Request): Promise<Response> {
  const written = request.headers.get(callHeader)
  if (written === null || !currentVisitIfAny()) return notFoundResponse()
  const body = new Uint8Array(await request.arrayBuffer())
  const answer = await callKit(readCall(written), body)
  const { body: bytes, ...head } = 'body' in answer ? answer : { ...answer, body: undefined }
  return new Response(bytes && new Uint8Array(bytes), { headers: { [calledHeader]: writeMessage(head) } })
}
