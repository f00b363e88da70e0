import { mainEnvironment } from '../../flags/flag'
import { json, openToAll } from '../answers'
import type { Desk, NamedProject, WireAnswer, WireRequest } from '../dialect'
import { refuseUnknown } from './refusals'

/** A line whenever the flags of an environment change. What they are now is for whoever hears it to ask. */
export function answerStream(request: WireRequest, desk: Desk): WireAnswer {
  const key = request.query.get('key') ?? undefined
  const project = key === undefined ? undefined : desk.projectNamed(key)
  return project ? streamFor(project, request, desk) : refuseUnknown(desk, key, undefined)
}

function streamFor(project: NamedProject, request: WireRequest, desk: Desk): WireAnswer {
  const environment = project.environment ?? mainEnvironment
  let tell: (text: string) => void = () => {}
  const stop = desk.listen({
    projectId: project.id,
    environment,
    address: request.address,
    tell: (change) => tell(line(change)),
  })
  if (!stop) return tooMany
  const { substance } = desk.definitions(project.id, environment)
  return {
    status: 200,
    headers: streamHeaders,
    body: beginning(substance, request),
    goesOn: (write) => {
      tell = write
      return stop
    },
  }
}

/** Whoever comes back names what was heard last, and is told if it has changed since. */
function beginning(substance: string, { headers, receivedAt }: WireRequest): string {
  const last = headers['last-event-id']
  const known = last === undefined || last === substance ? '' : line({ substance, at: receivedAt })
  return `retry: 2000\nid: ${substance}\n\n${known}`
}

/** In the words of OpenFeature's providers, which listen here as well. */
function line({ substance, at }: { substance: string; at: Date }): string {
  const said = { type: 'refetchEvaluation', etag: substance, lastModified: Math.floor(at.getTime() / 1000) }
  return `id: ${substance}\ndata: ${JSON.stringify(said)}\n\n`
}

const streamHeaders = {
  ...openToAll,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // proxies that gather an answer before they pass it on would tell nothing for minutes
  'x-accel-buffering': 'no',
}

const tooMany = json(
  429,
  { error: 'From this address come as many listeners as may. Poll instead, or listen once for all pages.' },
  { 'retry-after': '60' },
)
