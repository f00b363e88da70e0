import { alertAddress, headline } from '../letters/alert/alert'
import { experimentAddress, experimentHeadline } from '../letters/experiment/experiment'
import { rolloutAddress, rolloutHeadline } from '../letters/rollout/rollout'
import type { ExperimentMessage } from '../letters/experiment/message'
import type { RolloutMessage } from '../letters/rollout/message'
import type { Message } from './messages'

/** Returns the JSON body of a webhook: fields for programs, and `text` for chat services, which show only that. */
export function webhookBody(message: Message, origin: string): string {
  if (message.kind === 'rollout') return rolloutBody(message, origin)
  if (message.kind === 'experiment') return experimentBody(message, origin)
  if (message.kind !== 'alert') throw new Error(`Webhooks receive no ${message.kind} messages.`)
  const { tidings, alert, name, project, condition, verdict, numbers, at } = message
  const url = alertAddress(message, origin)
  return JSON.stringify({
    type: `alert.${tidings.replaceAll('-', '_')}`,
    timestamp: at,
    text: `${headline(message)} (${numbers}) ${url}`,
    alert: { id: alert, name, condition, url },
    project,
    verdict,
  })
}

function rolloutBody(message: RolloutMessage, origin: string): string {
  const { rollout, flag, experiment, project, state, why, at } = message
  const url = rolloutAddress(message, origin)
  return JSON.stringify({
    type: `rollout.${state.replaceAll('-', '_')}`,
    timestamp: at,
    text: `${rolloutHeadline(message)}. ${why} ${url}`,
    rollout: { id: rollout, flag, experiment, state, why, url },
    project,
  })
}

function experimentBody(message: ExperimentMessage, origin: string): string {
  const { notice, experiment, project, sentence, at } = message
  const url = experimentAddress(message, origin)
  return JSON.stringify({
    type: `experiment.${notice.replaceAll('-', '_')}`,
    timestamp: at,
    text: `${experimentHeadline(message)}. ${sentence} ${url}`,
    experiment: { ...experiment, sentence, url },
    project,
  })
}
