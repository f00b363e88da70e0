import { z } from 'zod'
import { editableAlert } from '#alerts/alert'
import { conditionWords } from '#alerts/alert-words'
import type { GivenRecipient } from '#alerts/recipient'
import { watchedMetricWords } from '#alerts/watched-metric-words'
import { defineChange, givenIn, partLines, reasonField } from './proposable-change'

/** A letter could carry figures to any address, so the member sees the addresses. */
const recipientWords = (one: GivenRecipient): string =>
  one.by === 'mail' ? one.address : one.by === 'webhook' ? one.url : 'a member'

export const alertChanges = [
  defineChange({
    name: 'create_alert',
    title: 'Create an alert',
    description: 'Sets up an alert: recipients are notified when a number meets a condition.',
    input: z.strictObject({ ...editableAlert.shape, ...reasonField }),
    reads: ['events:read'],
    right: 'alerts:write',
    isDestructive: false,
    alwaysAsks: () => true,
    async preview({ services, projectId, input: { name, watched, condition, every, recipients } }) {
      const words = await watchedMetricWords(projectId, watched, { savedInsights: services.insights.saved })
      const lines = partLines({
        Name: name,
        When: [conditionWords(words, condition)],
        Checked: [`every ${every}`],
        Recipients: recipients.map(recipientWords),
      })
      return {
        done: true,
        preview: { sentence: 'Set up an alert.', lines, thing: 'alerts', version: undefined },
      }
    },
    async make({ services, projectId, viewer, input }) {
      const outcome = await services.alerts.create(projectId, givenIn(input), viewer)
      return outcome.done ? { done: true, path: `alerts/${outcome.alert.id}` } : outcome
    },
  }),
]
