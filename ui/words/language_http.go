package words

// chineseHTTP is the http view in Chinese.
var chineseHTTP = map[string]string{}
