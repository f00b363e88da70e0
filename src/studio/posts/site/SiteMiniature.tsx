'use client'

import { clsx } from 'clsx'
import { useState } from 'react'
import type { SiteSettings } from '#posts/site'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { type Accents, accentsOf, pageBackgrounds } from '#posts/site-accents'
import { Thumbnail } from '../Thumbnail'

interface SiteMiniatureProps {
  settings: SiteSettings
  name: string
  titles: readonly string[]
}

type PageBackground = 'light' | 'dark'

const backgroundColours = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** The colours of site.css. */
const textColours = {
  light: { ink: '#1c1a16', muted: '#5d584e', line: '#e6e2d9' },
  dark: { ink: '#ece8e1', muted: '#aea89c', line: '#322f2a' },
}

const examples = ['What we learned', 'A small beginning', 'Why it is quiet here']

/** The blog as it will look, drawn small. */
export function SiteMiniature({ settings, name, titles }: SiteMiniatureProps) {
  const [chosen, setChosen] = useState<PageBackground>('light')
  const background = settings.appearance === 'system' ? chosen : settings.appearance
  return (
    <figure className="flex flex-col gap-3">
      <figcaption className="flex items-center justify-between gap-3">
        <span className="text-base font-semibold">Preview</span>
        {settings.appearance === 'system' && (
          <SegmentedControl
            label="Preview theme"
            options={backgroundColours}
            value={chosen}
            onChange={setChosen}
          />
        )}
      </figcaption>
      <Drawing
        settings={settings}
        name={name}
        titles={titles.length > 0 ? titles : examples}
        background={background}
      />
    </figure>
  )
}

const completeHexColour = /^#[\da-f]{6}$/i

/** While a colour is being typed it is none. */
function accentIn(
  { accent, accentDark }: SiteSettings,
  background: PageBackground,
): [accent: string, on: string] {
  const chosen = completeHexColour.test(accent) ? accent : '#1f6f4a'
  const found: Accents = accentsOf({
    accent: chosen,
    accentDark: completeHexColour.test(accentDark) ? accentDark : '',
  })
  return background === 'light' ? [found.light, found.onLight] : [found.dark, found.onDark]
}

function Drawing({
  settings,
  name,
  titles,
  background,
}: SiteMiniatureProps & { background: PageBackground }) {
  const { ink, muted, line } = textColours[background]
  const [accent, onAccent] = accentIn(settings, background)
  return (
    <div
      aria-hidden
      className={clsx(
        'flex flex-col gap-4 overflow-hidden rounded-lg border border-line p-4 text-xs',
        settings.typeface === 'serif' ? 'font-serif' : 'font-sans',
      )}
      style={{ background: pageBackgrounds[background], color: ink }}
    >
      <Top settings={settings} name={name} accent={accent} line={line} />
      <p className="text-lg leading-tight font-semibold">Blog</p>
      <div className={clsx(settings.layout === 'cards' ? 'grid grid-cols-2 gap-2.5' : 'flex flex-col gap-3')}>
        {titles.map((title, index) => (
          <div key={`${index} ${title}`} className="flex min-w-0 flex-col gap-1">
            {settings.layout === 'cards' && (
              <span
                className="h-12 rounded-sm"
                style={{ background: accent, opacity: 0.18 + index * 0.12 }}
              />
            )}
            <span className="truncate font-semibold">{title}</span>
            <span className="h-1 w-full rounded-full" style={{ background: line }} />
            <span className="h-1 w-2/3 rounded-full" style={{ background: line }} />
          </div>
        ))}
      </div>
      <span
        className="self-start rounded-sm px-2 py-1 text-2xs font-medium"
        style={{ background: accent, color: onAccent }}
      >
        Read on
      </span>
      <p
        className="flex flex-wrap gap-x-3 gap-y-1 border-t pt-2.5 text-2xs"
        style={{ borderColor: line, color: muted }}
      >
        {settings.footer.map(({ label }, index) => (
          <span key={`${index} ${label}`}>{label || '…'}</span>
        ))}
        <span>{settings.footerText || name}</span>
      </p>
    </div>
  )
}

function Top({
  settings: { logo, navigation },
  name,
  accent,
  line,
}: {
  settings: SiteSettings
  name: string
  accent: string
  line: string
}) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b pb-2.5" style={{ borderColor: line }}>
      {logo ? (
        <Thumbnail address={logo} className="h-5 max-w-24 object-contain" />
      ) : (
        <span className="font-semibold">{name}</span>
      )}
      <span className="ml-auto flex flex-wrap gap-x-2.5 text-2xs" style={{ color: accent }}>
        {navigation.map(({ label }, index) => (
          <span key={`${index} ${label}`}>{label || '…'}</span>
        ))}
      </span>
    </p>
  )
}
