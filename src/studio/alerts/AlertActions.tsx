'use client'

import { BellOff, MoreHorizontal, Trash2 } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { useState } from 'react'
import type { DeliveryReport } from '#alerts/deliveries/deliveries'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu } from '#ui/overlay/Menu'
import { useToast } from '#ui/overlay/Toast'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { muteAlert, removeAlert, testAlert, alertDeliveries } from './actions'

interface AlertActionsProps {
  slug: string
  id: string
  name: string
  isMuted: boolean
  whyNot?: string
}

const muteOptions = [
  { hours: 1, label: 'Mute for an hour' },
  { hours: 24, label: 'Mute for a day' },
  { hours: 24 * 7, label: 'Mute for a week' },
]

export function AlertActions({ slug, id, name, isMuted, whyNot }: AlertActionsProps) {
  const { make, question } = useDirectChange()
  const router = useNavigation()
  const [isRemoving, setRemoving] = useState(false)
  const mute = (hours: number) =>
    void make(() => muteAlert(slug, id, hours), {
      saved: hours === 0 ? `${name} unmuted` : `${name} muted`,
    })

  return (
    <>
      {question}
      <TestButton slug={slug} id={id} whyNot={whyNot} />
      <Menu
        align="end"
        trigger={<IconButton label={`More about ${name}`} icon={<Icon of={MoreHorizontal} />} />}
        entries={[
          ...(isMuted
            ? [
                {
                  label: 'Unmute',
                  icon: <Icon of={BellOff} />,
                  onSelect: () => mute(0),
                  disabledReason: whyNot,
                },
              ]
            : muteOptions.map(({ hours, label }) => ({
                label,
                icon: <Icon of={BellOff} />,
                onSelect: () => mute(hours),
                disabledReason: whyNot,
              }))),
          { kind: 'separator' },
          {
            label: 'Remove…',
            icon: <Icon of={Trash2} />,
            onSelect: () => setRemoving(true),
            destructive: true,
            disabledReason: whyNot,
          },
        ]}
      />
      <AlertDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        title={`Remove ${name}?`}
        body="The alert and its history are deleted. This cannot be undone."
        confirmLabel="Remove alert"
        onConfirm={() =>
          make(() => removeAlert(slug, id), {
            saved: `${name} removed`,
            onDone: () => router.push(paths.alerts(slug)),
          })
        }
      />
    </>
  )
}

const maxChecks = 12
const checkEveryMs = 1000

/** Sends, and waits a while for what comes of it: that it left is not yet that it arrived. */
function TestButton({ slug, id, whyNot }: Pick<AlertActionsProps, 'slug' | 'id' | 'whyNot'>) {
  const [isBusy, setBusy] = useState(false)
  const router = useNavigation()
  const showToast = useToast()

  async function test() {
    setBusy(true)
    const answer = await withNetworkErrors(() => testAlert(slug, id))
    if (answer.done) {
      const outcomes = await waitForOutcomes(slug, id, answer.told)
      const failed = outcomes.filter(({ state }) => state !== 'sent')
      showToast({
        title: failed.length === 0 ? 'Test sent' : 'The test did not reach every recipient',
        body: failed.map(({ outcome }) => outcome ?? 'Delivery is in progress.').join(' ') || undefined,
        tone: failed.length === 0 ? 'success' : 'danger',
      })
      router.refresh()
    } else showToast({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
    setBusy(false)
  }

  return (
    <Button onClick={() => void test()} busy={isBusy} disabledReason={whyNot}>
      Send test
    </Button>
  )
}

async function waitForOutcomes(slug: string, id: string, sent: readonly string[]): Promise<DeliveryReport[]> {
  let found: DeliveryReport[] = []
  for (let check = 0; check < maxChecks; check++) {
    await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
    const answer = await withNetworkErrors(() => alertDeliveries(slug, id))
    if (!answer.done) return found
    found = answer.told.filter((one) => sent.includes(one.id))
    if (found.every(({ attempts }) => attempts > 0)) return found
  }
  return found
}
