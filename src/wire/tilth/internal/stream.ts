import { mainEnvironment } from '#flags/flag'
import { jsonResponse, corsHeaders } from '../../internal/responses'
import type { WireServices, ResolvedProject, WireResponse, WireRequest } from '../../dialect'
import { refuseUnknownProject } from '../refusals'

/** Streams a message whenever the flags of an environment change. Clients then fetch the new values themselves. */
export function respondWithStream(request: WireRequest, services: WireServices): WireResponse {
  const key = request.query.get('key') ?? undefined
  const project = key === undefined ? undefined : services.findProject(key)
  if (key === undefined || !project) return refuseUnknownProject(services, key, undefined)
  return streamFor(project, key, request, services)
}

function streamFor(
  project: ResolvedProject,
  key: string,
  request: WireRequest,
  services: WireServices,
): WireResponse {
  const environment = project.environment ?? mainEnvironment
  let send: (text: string) => void = () => {}
  let end: () => void = () => {}
  const stop = services.listenForFlagChanges({
    projectId: project.id,
    environment,
    key,
    address: request.address,
    notify: (change) => send(streamMessage(change)),
    end: () => end(),
  })
  if (!stop) return tooManyListenersResponse
  const { substance } = services.flagDefinitions(project.id, environment)
  return {
    status: 200,
    headers: streamHeaders,
    body: streamStart(substance, request),
    stream: (write, finish) => {
      send = write
      end = finish
      return stop
    },
  }
}

/**
 * A client that reconnects sends the id of its last message, and gets a message at once if the flags have changed
 * since.
 */
function streamStart(substance: string, { headers, receivedAt }: WireRequest): string {
  const last = headers['last-event-id']
  const missedMessage =
    last === undefined || last === substance ? '' : streamMessage({ substance, at: receivedAt })
  return `retry: 2000\nid: ${substance}\n\n${missedMessage}`
}

/** Formats a message for OpenFeature's providers, which also use this stream. */
function streamMessage({ substance, at }: { substance: string; at: Date }): string {
  const message = {
    type: 'refetchEvaluation',
    etag: substance,
    lastModified: Math.floor(at.getTime() / 1000),
  }
  return `id: ${substance}\ndata: ${JSON.stringify(message)}\n\n`
}

const streamHeaders = {
  ...corsHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // proxies that buffer responses would hold messages back for minutes
  'x-accel-buffering': 'no',
}

const tooManyListenersResponse = jsonResponse(
  429,
  { error: 'Too many listeners from this address. Poll instead, or open one stream for all pages.' },
  { 'retry-after': '60' },
)
