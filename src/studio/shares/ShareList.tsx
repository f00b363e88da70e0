'use client'

import { Copy, Link2, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usualParts } from '#shares/report-parts'
import type { ListedShare, Share, ShareSubject } from '#shares/shares'
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
import { PasswordInput } from '#ui/form/PasswordInput'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { useToast } from '#ui/overlay/Toast'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { shareLink } from '#studio/paths'
import { useChange, useDirectChange } from '#studio/parts/Change'
import { type Clock, CalendarDate } from '#studio/parts/RelativeTime'
import {
  allowEmbedding,
  changeShare,
  createShare,
  type OpenedLink,
  readShareLink,
  renewShare,
  revokeShare,
} from './changes'
import { ReportPartsFields } from './ReportPartsFields'
import type { ShareContext } from './ShareButton'

type ShareStep =
  | { step: 'list' }
  | { step: 'new' }
  | { step: 'link'; link: OpenedLink }
  | { step: 'change'; share: Share }

/** The links there are; making one, and changing one. */
export function ShareList(context: ShareContext) {
  const own = context.shares.filter((share) => !share.revokedAt && isShareOf(share, context.subject))
  const [shown, setShown] = useState<ShareStep>({ step: own.length > 0 ? 'list' : 'new' })
  const toList = () => setShown({ step: 'list' })
  const toLink = (link: OpenedLink) => setShown({ step: 'link', link })

  if (shown.step === 'link')
    return <ShareLink slug={context.slug} link={shown.link} name={context.name} onDone={toList} />
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
            onLink={toLink}
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
  onLink,
}: {
  slug: string
  share: ListedShare
  clock: Clock
  onChange: () => void
  onLink: (link: OpenedLink) => void
}) {
  const { id, hasPassword, frameHosts, mayChangePeriod, endsAt, createdAt, createdBy } = share
  const { make, question } = useDirectChange()
  const isOver = endsAt !== undefined && endsAt <= clock.now
  const showToast = useToast()
  const openLink = async () => {
    const failed = await make(() => readShareLink(slug, id), { onDone: onLink })
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 grow basis-56">
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
      <span className="-ml-2 flex gap-1">
        <IconButton
          label="Copy link"
          icon={<Icon of={Copy} />}
          disabledReason={
            share.canCopyLink ? undefined : `Only its maker can copy this link. Replace it to get a new one.`
          }
          onClick={() => void openLink()}
        />
        <IconButton label="Edit share" icon={<Icon of={Pencil} />} onClick={onChange} />
        <AlertDialog
          title="Replace link?"
          body="The current link stops working. You get a new one."
          confirmLabel="Replace link"
          onConfirm={() => make(() => renewShare(slug, id), { onDone: onLink })}
          trigger={<IconButton label="Replace link" icon={<Icon of={RefreshCw} />} />}
        />
        <AlertDialog
          title="Revoke share?"
          body={<>The link and its embeds stop working. This cannot be undone.{question}</>}
          confirmLabel="Revoke share"
          onConfirm={() => make(() => revokeShare(slug, id), { saved: 'Share revoked' })}
          trigger={<IconButton label="Revoke share" icon={<Icon of={Trash2} />} />}
        />
      </span>
    </li>
  )
}

function CreateShareForm({
  slug,
  subject,
  metrics = [],
  onMade,
  onCancel,
}: ShareContext & { onMade: (link: OpenedLink) => void; onCancel: (() => void) | undefined }) {
  const [parts, setParts] = useState(subject.kind === 'experiment' ? usualParts : undefined)
  const { form, isPending, notes } = useChange({
    change: (formData) => createShare(slug, subject, formData, parts),
    onDone: onMade,
  })
  return (
    <Form {...form}>
      {notes}
      <Field label="Password" name="password" optional hint="Leave empty to allow anyone with the link.">
        <PasswordInput newPassword />
      </Field>
      {parts && <ReportPartsFields parts={parts} metrics={metrics} onChange={setParts} />}
      <ShareFields subject={subject} />
      <Buttons submit="Create link" isPending={isPending} onCancel={onCancel} />
    </Form>
  )
}

function ChangeShareForm({
  slug,
  share,
  clock,
  metrics = [],
  onDone,
}: ShareContext & { share: Share; onDone: () => void }) {
  const [parts, setParts] = useState(share.parts)
  const { form, isPending, notes } = useChange({
    change: (formData) => changeShare(slug, share.id, formData, parts),
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
      {parts && <ReportPartsFields parts={parts} metrics={metrics} onChange={setParts} />}
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

/** Shows the link of a share, and the code that embeds it where that is allowed. */
function ShareLink({
  slug,
  link: { id, token, frameHosts },
  name,
  onDone,
}: {
  slug: string
  link: OpenedLink
  name: string
  onDone: () => void
}) {
  const [theme, setTheme] = useState<FrameTheme>('auto')
  const [hosts, setHosts] = useState(frameHosts)
  const link = shareLink(location.origin, token)
  const framed = theme === 'auto' ? link : `${link}?theme=${theme}`
  return (
    <div className="flex flex-col gap-4">
      <CopyField
        label="Link"
        value={link}
        hint="You can copy it again later. Other members can replace it."
      />
      {hosts.length === 0 ? (
        <EmbeddingForm slug={slug} id={id} onAllowed={setHosts} />
      ) : (
        <CodeBlock title="Embed code" language="HTML" code={snippet(framed, name)} wrap />
      )}
      <SegmentedControl label="Theme" options={frameThemes} value={theme} onChange={setTheme} />
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

/** Asks which sites may embed the share; until then a browser would refuse its frame there. */
function EmbeddingForm({
  slug,
  id,
  onAllowed,
}: {
  slug: string
  id: string
  onAllowed: (hosts: readonly string[]) => void
}) {
  const { form, isPending, notes } = useChange({
    change: (formData) => allowEmbedding(slug, id, formData),
    onDone: ({ frameHosts }) => onAllowed(frameHosts),
  })
  return (
    <Form {...form}>
      {notes}
      <Field
        label="Allowed embed domains"
        name="frameHosts"
        hint="The site that shows it, such as example.com. Browsers refuse the frame anywhere else."
      >
        <TextInput mono autoComplete="off" />
      </Field>
      <div className="flex justify-end">
        <Button type="submit" busy={isPending}>
          Get embed code
        </Button>
      </div>
    </Form>
  )
}

const snippet = (address: string, name: string): string =>
  `<iframe src="${address}" title="${escaped(name)}" loading="lazy" style="width: 100%; height: 600px; border: 0"></iframe>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
