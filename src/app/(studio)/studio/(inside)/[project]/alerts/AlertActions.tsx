'use client'

import { BellOff, MoreHorizontal, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Told } from '../../../../../../alerts/deliveries'
import { AlertDialog } from '../../../../../../ui/AlertDialog'
import { Button } from '../../../../../../ui/Button'
import { Icon } from '../../../../../../ui/Icon'
import { IconButton } from '../../../../../../ui/IconButton'
import { Menu } from '../../../../../../ui/Menu'
import { useToast } from '../../../../../../ui/Toast'
import { paths } from '../../../../../paths'
import { useDirectChange } from '../../../../Change'
import { reached } from '../../../../reached'
import { muteAlert, removeAlert, testAlert, whatWasTold } from './actions'

interface AlertActionsProps {
  slug: string
  id: string
  name: string
  isMuted: boolean
  whyNot?: string
}

const mutings = [
  { hours: 1, label: 'Mute for an hour' },
  { hours: 24, label: 'Mute for a day' },
  { hours: 24 * 7, label: 'Mute for a week' },
]

export function AlertActions({ slug, id, name, isMuted, whyNot }: AlertActionsProps) {
  const { make, question } = useDirectChange()
  const router = useRouter()
  const [isRemoving, setRemoving] = useState(false)
  const mute = (hours: number) =>
    void make(() => muteAlert(slug, id, hours), {
      saved: hours === 0 ? `${name} tells again` : `${name} is muted`,
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
            : mutings.map(({ hours, label }) => ({
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
        body="Nobody is told of it any more, and its history goes with it. This cannot be undone."
        confirmLabel="Remove the alert"
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

const looks = 12
const betweenLooksMs = 1000

/** Sends, and waits a while for what comes of it: that it left is not yet that it arrived. */
function TestButton({ slug, id, whyNot }: Pick<AlertActionsProps, 'slug' | 'id' | 'whyNot'>) {
  const [isBusy, setBusy] = useState(false)
  const router = useRouter()
  const say = useToast()

  async function test() {
    setBusy(true)
    const answer = await reached(() => testAlert(slug, id))
    if (answer.done) {
      const outcomes = await outcomesOf(slug, id, answer.told)
      const failed = outcomes.filter(({ state }) => state !== 'sent')
      say({
        title: failed.length === 0 ? 'The test was sent' : 'Not everybody got the test',
        body: failed.map(({ outcome }) => outcome ?? 'It is still on its way.').join(' ') || undefined,
        tone: failed.length === 0 ? 'success' : 'danger',
      })
      router.refresh()
    } else say({ title: answer.problems.map(({ message }) => message).join(' '), tone: 'danger' })
    setBusy(false)
  }

  return (
    <Button onClick={() => void test()} busy={isBusy} disabledReason={whyNot}>
      Test it now
    </Button>
  )
}

async function outcomesOf(slug: string, id: string, sent: readonly string[]): Promise<Told[]> {
  let found: Told[] = []
  for (let look = 0; look < looks; look++) {
    await new Promise((resolve) => setTimeout(resolve, betweenLooksMs))
    const answer = await reached(() => whatWasTold(slug, id))
    if (!answer.done) return found
    found = answer.told.filter((one) => sent.includes(one.id))
    if (found.every(({ attempts }) => attempts > 0)) return found
  }
  return found
}
