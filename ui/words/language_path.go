package words

// chinesePath is the path view in Chinese.
var chinesePath = map[string]string{}
