import { isForServersOnly, mainEnvironment } from '#flags/flag'
import { decodeJsonBody, isProperties } from '../../decode-body'
import type { RemoteVisit, WireRequest, WireResponse, WireServices } from '../../dialect'
import { jsonResponse, jsonTextResponse } from '../../internal/responses'
import { textField } from '../../read-fields'
import { hostOf } from '../../internal/tracker-events'
import { serializeDecisions } from '../flags'
import { checkSendingServer, envelopeOfSender, senderOf } from './sending-server'

/**
 * Begins the visit of a page that another server renders: who the visitor is, and every decision for them. Records
 * nothing; the server sends the view when it has answered.
 */
export async function respondWithVisit(request: WireRequest, services: WireServices): Promise<WireResponse> {
  const body = decodeJsonBody(request)
  const fields = body.read && isProperties(body.what) ? body.what : undefined
  const sender = fields && senderOf(fields)
  if (!fields || !sender) return unreadableResponse(body.read ? undefined : body.detail)
  const access = await checkSendingServer(request, textField(fields, 'key'), services)
  if (!access.isAdmitted) return access.response
  const { project } = access
  const environment = project.environment ?? mainEnvironment
  const visit = await services.beginRemoteVisit({
    environment,
    visitor: textField(fields, 'visitor'),
    deviceId: textField(fields, 'deviceId'),
    mayIdentify: fields['visitors'] === 'cookie',
    host: hostOf(textField(fields, 'url') ?? '') ?? '',
    previewToken: textField(fields, 'preview'),
    envelope: envelopeOfSender(sender, request, project, { dialect: 'tilth' }),
  })
  return jsonTextResponse(200, serializeVisit(visit, environment))
}

const unreadableResponse = (detail = 'Send an object with "url" and "sender".'): WireResponse =>
  jsonResponse(400, { error: detail })

/** `serverOnly` names the flags that browsers must not get. */
function serializeVisit({ decisions, visitor, ...visit }: RemoteVisit, environment: string): string {
  const serverOnly = decisions
    .filter(({ flag }) => !flag.isSecret && isForServersOnly(flag))
    .map(({ flag }) => flag.key)
  const members = JSON.stringify({ visitor: visitor ?? null, ...visit, serverOnly })
  return `${members.slice(0, -1)},${serializeDecisions(decisions, environment)}}`
}
