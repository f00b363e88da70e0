import type { DefaultLayoutProps } from '@tilth/site'

export default function Default({ header, children, footer }: DefaultLayoutProps) {
  return (
    <>
      {header}
      {children}
      {footer}
    </>
  )
}
