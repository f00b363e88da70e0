export { metadata, NowPage as default } from '#studio/web/NowPage'
