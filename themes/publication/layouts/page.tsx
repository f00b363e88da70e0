import type { PageLayoutProps } from '@tilth/site'

export default function Page({ hasTitle, head, children }: PageLayoutProps) {
  return (
    <article className={hasTitle ? 'post page titled' : 'post page'}>
      {head}
      {children}
    </article>
  )
}
