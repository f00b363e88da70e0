import { clsx } from 'clsx'
import { Anchor } from '../Anchor'
import type { SankeyChartProps } from './chart'
import { round } from './internal/axis'
import { Drawing, Stretched } from './internal/Drawing'
import { Figure } from './internal/Figure'
import { flowOf, lastColumn, type Flow, type PlottedLink, type PlottedNode } from './internal/flow'
import { colourValue } from './internal/series-style'
import { EmptyPlot } from './internal/EmptyPlot'
import { ChartInteraction } from './internal/ChartInteraction'
import type { ChartTable } from './internal/chart-table'
import { number, percent, shortAmount } from '../format'
import { SidewaysScroll } from '../table/internal/SidewaysScroll'

/** From where to where, step by step; the thicker the more. What leaves at a step is hatched. */
export function SankeyChart(chart: SankeyChartProps) {
  const { title, counted } = chart
  const flow = flowOf(chart)
  if (flow.nodes.length === 0) return <EmptyPlot size="lg" />

  const description = chart.description ?? largestOf(flow, counted)
  const readings = tableOf(flow, counted)
  return (
    <Figure title={title} description={description} readings={readings}>
      <SidewaysScroll caption={title} isReachable={false} moreLabel="Show later steps">
        <div className="my-1" style={{ minWidth: `${flow.steps * 9}rem`, height: `${flow.heightRem}rem` }}>
          <ChartInteraction
            label={title}
            rows={readings.rows.length}
            way="marks"
            onPick={chart.onPick}
            className="size-full"
          >
            <Drawing label={title} description={description}>
              <Stretched>
                {flow.links.map((link, index) => (
                  <Ribbon key={index} place={index} link={link} />
                ))}
              </Stretched>
              {flow.nodes.map((node) => (
                <Block key={node.key} node={node} />
              ))}
            </Drawing>
            {flow.nodes.map((node) => (
              <Name key={node.key} node={node} steps={flow.steps} counted={counted} />
            ))}
          </ChartInteraction>
        </div>
      </SidewaysScroll>
    </Figure>
  )
}

function Ribbon({ link: { path, litBy }, place: index }: { link: PlottedLink; place: number }) {
  return (
    <path
      data-row={index}
      data-lit-by={litBy.join(' ')}
      d={path}
      fill={colourValue(1)}
      fillOpacity="0.28"
      className="pointer-events-auto transition-[opacity,fill-opacity] data-read:[fill-opacity:0.55]"
    />
  )
}

function Block({ node: { x, y, height, dropped, droppedHeight, litBy } }: { node: PlottedNode }) {
  return (
    <>
      <rect
        data-lit-by={litBy.join(' ')}
        x={`${x}%`}
        y={`${y}%`}
        width="1.2%"
        height={`${height}%`}
        fill={colourValue(1)}
        className="transition-opacity"
      />
      {dropped > 0 && (
        <rect
          x={`${round(x + 1.2)}%`}
          y={`${round(y + height - droppedHeight)}%`}
          width="1.6%"
          height={`${Math.max(droppedHeight, 0.3)}%`}
          fill={colourValue(4)}
          fillOpacity="0.75"
        />
      )}
    </>
  )
}

/** Beside the middle of its block, over the ribbons, with a ground of its own so that it can be read there. */
function Name({ node, steps, counted }: { node: PlottedNode; steps: number; counted: string }) {
  const { label, x, y, height, total, dropped, href, droppedHref } = node
  const offset = dropped > 0 ? 2.6 : 1
  return (
    <div
      className="absolute flex -translate-y-1/2 flex-col items-start pl-2 text-xs leading-tight"
      style={{
        left: `${round(x + offset)}%`,
        top: `${round(y + height / 2)}%`,
        maxWidth: node.isLast
          ? `${100 - lastColumn - 1}%`
          : `${round(lastColumn / (steps - 1) - offset - 0.6)}%`,
      }}
    >
      <Word href={href} className="font-medium">
        {label}
      </Word>
      <span className={lineClass}>
        <span className="tabular-nums text-muted" title={`${number(total)} ${counted}`}>
          {shortAmount(total)}
        </span>
        {dropped > 0 && (
          <Word
            href={droppedHref}
            className="text-danger-ink"
            title={`${number(dropped)} ${counted} dropped off here`}
          >
            {`−${percent(dropped / total)}`}
          </Word>
        )}
      </span>
    </div>
  )
}

const lineClass = 'flex max-w-full gap-1.5 rounded-xs bg-surface/75 px-1 text-2xs'

function Word({ href, className, title, children }: WordProps) {
  const word = (
    <bdi className="block truncate" title={title ?? children}>
      {children}
    </bdi>
  )
  const look = clsx('max-w-full min-w-0', !title && 'rounded-xs bg-surface/75 px-1', className)
  if (!href) return <span className={look}>{word}</span>
  return (
    <Anchor href={href} className={clsx(look, 'hover:underline')} title={title}>
      {word}
      {title && <span className="sr-only">, {title}</span>}
    </Anchor>
  )
}

type WordProps = { href?: string; className: string; title?: string; children: string }

function largestOf({ links }: Flow, counted: string): string {
  const most = links.toSorted((one, other) => other.value - one.value).slice(0, 5)
  return `The largest: ${most.map((link) => `${linkLabel(link)}, ${number(link.value)} ${counted}`).join('; ')}.`
}

const linkLabel = ({ fromLabel, toLabel }: PlottedLink): string => `${fromLabel} → ${toLabel}`

/** Links come first, in the order of the drawing, so that a row has the number of its ribbon; then the drop-offs. */
function tableOf({ links, nodes }: Flow, counted: string): ChartTable {
  return {
    first: 'From and to',
    headings: [{ label: counted }],
    rows: [
      ...links.map((link) => ({
        title: linkLabel(link),
        x: link.x,
        y: link.y,
        href: link.href,
        cells: [{ text: number(link.value) }],
      })),
      ...nodes
        .filter(({ dropped }) => dropped > 0)
        .map(({ label, dropped, droppedHref, x, y, height }) => ({
          title: `${label} → left`,
          x: round(x + 2),
          y: round(y + height),
          href: droppedHref,
          cells: [{ text: number(dropped) }],
        })),
    ],
  }
}
