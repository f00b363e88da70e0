export { GET } from '#studio/shell/palette/search-route'
