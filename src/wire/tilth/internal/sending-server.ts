import { isIP } from 'node:net'
import type { Envelope, Properties } from '#events/event'
import { bearerToken } from '../../internal/bearer-token'
import { isProperties } from '../../decode-body'
import type { ResolvedProject, WireRequest, WireResponse, WireServices } from '../../dialect'
import { jsonResponse } from '../../internal/responses'
import { textField } from '../../read-fields'
import { trackerEnvelope } from '../../internal/tracker-events'

type ServerAccess =
  | { isAdmitted: true; project: ResolvedProject }
  | { isAdmitted: false; response: WireResponse }

/**
 * Checks a server that speaks for its visitors. It needs a secret key, because it states their addresses. `key` may be
 * the write key of an environment of the same project.
 */
export async function checkSendingServer(
  request: WireRequest,
  key: string | undefined,
  services: WireServices,
): Promise<ServerAccess> {
  const secret = bearerToken(request)
  const project = secret === undefined ? undefined : await services.findProjectBySecret(secret)
  if (!project)
    return refused(401, 'Send a secret key of this project: Authorization: Bearer … (Settings → Keys).')
  const keyProject = key === undefined ? project : services.findProject(key)
  if (keyProject?.id !== project.id)
    return refused(
      403,
      'The secret key and the project key are of two projects. Take both from the same one.',
    )
  return { isAdmitted: true, project: keyProject }
}

const refused = (status: number, error: string): ServerAccess => ({
  isAdmitted: false,
  response: jsonResponse(status, { error }),
})

/** The visitor as the server describes them; undefined if the message has no `sender`. */
export const senderOf = (fields: Properties): Properties | undefined =>
  isProperties(fields['sender']) ? fields['sender'] : undefined

/** The envelope of a visitor's own request, as the server received it. */
export function envelopeOfSender(
  sender: Properties,
  request: WireRequest,
  project: ResolvedProject,
  more: Pick<Envelope, 'dialect'> & Partial<Envelope>,
): Envelope {
  const address = textField(sender, 'address') ?? ''
  const headers = {
    'user-agent': textField(sender, 'userAgent'),
    'accept-language': textField(sender, 'language'),
    ...(sender['optedOut'] === true && { dnt: '1' }),
  }
  return trackerEnvelope({ ...request, headers, address: isIP(address) === 0 ? '' : address }, project, more)
}
