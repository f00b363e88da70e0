'use client'

import { Link2, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Share, ShareSubject } from '#shares/shares'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { CopyField } from '#ui/copy/CopyField'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { date } from '#ui/format'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Notice } from '#ui/page/Notice'
import { PasswordInput } from '#ui/form/PasswordInput'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { shareLink } from '../../paths'
import { useChange, useDirectChange } from '../Change'
import { type Clock, CalendarDate } from '../RelativeTime'
import { changeShare, createShare, renewShare, revokeShare } from './changes'
import type { ShareContext } from './ShareButton'

type ShareStep =
  | { step: 'list' }
  | { step: 'new' }
  | { step: 'link'; token: string }
  | { step: 'change'; share: Share }

/** The links there are; making one, and changing one. */
export function ShareList(context: ShareContext) {
  const own = context.shares.filter((share) => !share.revokedAt && isShareOf(share, context.subject))
  const [shown, setShown] = useState<ShareStep>({ step: own.length > 0 ? 'list' : 'new' })
  const toList = () => setShown({ step: 'list' })
  const toLink = (token: string) => setShown({ step: 'link', token })

  if (shown.step === 'link') return <ShareLink token={shown.token} name={context.name} onDone={toList} />
  if (shown.step === 'change') return <ChangeShareForm {...context} share={shown.share} onDone={toList} />
  if (shown.step === 'new')
    return <CreateShareForm {...context} onMade={toLink} onCancel={own.length > 0 ? toList : undefined} />
  return (
    <div className="flex flex-col gap-4">
      <ul className="divide-y divide-line rounded-lg border border-line">
        {own.map((share) => (
          <ShareRow
            key={share.id}
            slug={context.slug}
            share={share}
            clock={context.clock}
            onChange={() => setShown({ step: 'change', share })}
            onRenewed={toLink}
          />
        ))}
        {own.length === 0 && <li className="px-4 py-6 text-center text-muted">No active links</li>}
      </ul>
      <Button icon={<Icon of={Link2} />} onClick={() => setShown({ step: 'new' })}>
        New link
      </Button>
    </div>
  )
}

const isShareOf = ({ subject }: Share, wanted: ShareSubject): boolean =>
  JSON.stringify(subject) === JSON.stringify(wanted) ||
  (subject.kind === wanted.kind && 'id' in subject && 'id' in wanted && subject.id === wanted.id)

function ShareRow({
  slug,
  share,
  clock,
  onChange,
  onRenewed,
}: {
  slug: string
  share: Share
  clock: Clock
  onChange: () => void
  onRenewed: (token: string) => void
}) {
  const { id, hasPassword, frameHosts, mayChangePeriod, endsAt, createdAt, createdBy } = share
  const { make, question } = useDirectChange()
  const isOver = endsAt !== undefined && endsAt <= clock.now
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <span className="min-w-0 grow">
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={hasPassword ? 'info' : 'neutral'}>{hasPassword ? 'Password' : 'Public link'}</Badge>
          {frameHosts.length > 0 && <Badge>{`Embedded on ${frameHosts.join(', ')}`}</Badge>}
          {mayChangePeriod && <Badge>Any date range</Badge>}
          {isOver && <Badge tone="warning">Expired</Badge>}
        </span>
        <span className="mt-0.5 block text-xs text-muted">
          Created by {createdBy} on <CalendarDate at={createdAt} clock={clock} />
          {endsAt && `, expires after ${date(new Date(endsAt.getTime() - 1), clock.timeZone)}`}
        </span>
      </span>
      <IconButton label="Edit share" icon={<Icon of={Pencil} />} onClick={onChange} />
      <AlertDialog
        title="Replace link?"
        body="The current link stops working. You get a new one."
        confirmLabel="Replace link"
        onConfirm={() => make(() => renewShare(slug, id), { onDone: ({ token }) => onRenewed(token) })}
        trigger={<IconButton label="Replace link" icon={<Icon of={RefreshCw} />} />}
      />
      <AlertDialog
        title="Revoke share?"
        body={<>The link and its embeds stop working. This cannot be undone.{question}</>}
        confirmLabel="Revoke share"
        onConfirm={() => make(() => revokeShare(slug, id), { saved: 'Share revoked' })}
        trigger={<IconButton label="Revoke share" icon={<Icon of={Trash2} />} />}
      />
    </li>
  )
}

function CreateShareForm({
  slug,
  subject,
  onMade,
  onCancel,
}: ShareContext & { onMade: (token: string) => void; onCancel: (() => void) | undefined }) {
  const { form, isPending, notes } = useChange({
    change: (formData) => createShare(slug, subject, formData),
    onDone: ({ token }) => onMade(token),
  })
  return (
    <Form {...form}>
      {notes}
      <Field label="Password" name="password" optional hint="Leave empty to allow anyone with the link.">
        <PasswordInput newPassword />
      </Field>
      <ShareFields subject={subject} />
      <Buttons submit="Create link" isPending={isPending} onCancel={onCancel} />
    </Form>
  )
}

function ChangeShareForm({
  slug,
  share,
  clock,
  onDone,
}: ShareContext & { share: Share; onDone: () => void }) {
  const { form, isPending, notes } = useChange({
    change: (formData) => changeShare(slug, share.id, formData),
    saved: 'Share saved',
    onDone,
  })
  return (
    <Form {...form}>
      {notes}
      <Field
        label="New password"
        name="password"
        optional
        hint={
          share.hasPassword
            ? 'Leave empty to keep the current password.'
            : 'Leave empty to allow anyone with the link.'
        }
      >
        <PasswordInput newPassword />
      </Field>
      {share.hasPassword && <Checkbox name="withoutPassword" label="Remove password" />}
      <ShareFields
        subject={share.subject}
        share={share}
        lastDay={share.endsAt && dayBefore(share.endsAt, clock.timeZone)}
      />
      <Buttons submit="Save" isPending={isPending} onCancel={onDone} />
    </Form>
  )
}

/** The day that ends then, in the project's time zone; Canada writes days as programs do. */
const dayBefore = (end: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(end.getTime() - 1))

function ShareFields({
  subject,
  share,
  lastDay,
}: {
  subject: ShareSubject
  share?: Share
  lastDay?: string
}) {
  return (
    <>
      <Field
        label="Expires"
        name="lastDay"
        optional
        hint="The last day it is shown. Leave empty for no expiry."
      >
        <TextInput type="date" defaultValue={lastDay} />
      </Field>
      <Field
        label="Allowed embed domains"
        name="frameHosts"
        optional
        hint="One per line: example.com, *.example.com. Leave empty to block embedding."
      >
        <Textarea name="frameHosts" rows={2} mono defaultValue={share?.frameHosts.join('\n')} />
      </Field>
      {subject.kind !== 'experiment' && (
        <Checkbox
          name="mayChangePeriod"
          label="Viewers can change the date range"
          defaultChecked={share?.mayChangePeriod}
        />
      )}
    </>
  )
}

const Buttons = ({
  submit,
  isPending,
  onCancel,
}: {
  submit: string
  isPending: boolean
  onCancel: (() => void) | undefined
}): ReactNode => (
  <div className="flex justify-end gap-2">
    {onCancel && <Button onClick={onCancel}>Back</Button>}
    <Button type="submit" variant="primary" busy={isPending}>
      {submit}
    </Button>
  </div>
)

const frameThemes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const
type FrameTheme = (typeof frameThemes)[number]['value']

/** Shows the new link once, with the code that embeds it. */
function ShareLink({ token, name, onDone }: { token: string; name: string; onDone: () => void }) {
  const [theme, setTheme] = useState<FrameTheme>('auto')
  const link = shareLink(location.origin, token)
  const framed = theme === 'auto' ? link : `${link}?theme=${theme}`
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="Copy the link now">
        It is shown only once. If you lose it, replace it with a new link.
      </Notice>
      <CopyField label="Link" value={link} />
      <SegmentedControl label="Theme" options={frameThemes} value={theme} onChange={setTheme} />
      <CodeBlock title="Embed code" language="HTML" code={snippet(framed, name)} wrap />
      <iframe
        sandbox="allow-scripts"
        title={`Preview of ${name}`}
        src={framed}
        className="h-72 w-full rounded-lg border border-line bg-canvas"
      />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}

const snippet = (address: string, name: string): string =>
  `<iframe src="${address}" title="${escaped(name)}" loading="lazy" style="width: 100%; height: 600px; border: 0"></iframe>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
