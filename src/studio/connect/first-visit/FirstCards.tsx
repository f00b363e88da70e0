'use client'

import { Flag, MessageSquareText, Target, type LucideIcon } from 'lucide-react'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import type { CardKind, FirstCard } from './first-cards'

const looks: Record<CardKind, { icon: LucideIcon; action: string }> = {
  goal: { icon: Target, action: 'Create goal' },
  flag: { icon: Flag, action: 'Create flag' },
  survey: { icon: MessageSquareText, action: 'Create survey' },
}

/** The things to make of a first visit. */
export function FirstCards({ cards }: { cards: readonly FirstCard[] }) {
  if (cards.length === 0) return null
  return (
    <Panel title="Next, from this visit" flush>
      <ul className="divide-y divide-line border-t border-line">
        {cards.map(({ id, kind, title, about, href, code }) => (
          <li key={id} className="flex flex-col gap-3 px-4 py-3">
            <div className="flex items-start gap-3">
              <Icon of={looks[kind].icon} size="lg" className="mt-0.5 text-faint" />
              <div className="min-w-0 grow">
                <h3 className="font-medium break-words">
                  <bdi>{title}</bdi>
                </h3>
                <p className="text-pretty text-muted">{about}</p>
              </div>
              <LinkButton size="sm" href={href} aria-label={`${looks[kind].action}: ${title}`}>
                {looks[kind].action}
              </LinkButton>
            </div>
            {code !== undefined && <CodeBlock code={code} language="HTML" title={`For ${title}`} wrap />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
