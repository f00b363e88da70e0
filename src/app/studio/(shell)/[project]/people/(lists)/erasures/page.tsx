export { metadata, ErasuresPage as default } from '#studio/people/erasures/ErasuresPage'
