//go:build ignore

// Verifies addresses from standard input, one a line, and prints each result as it is known:
// go run verify_list.go < list.txt
// RCPT_URL and RCPT_API_KEY say where, and for whom.
package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	mathrand "math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const perRequest = 500
const attempts = 6

// An Element is a line of the answer: a result with the index of its address, or the last line with the bill.
type Element struct {
	Index  int     `json:"index"`
	Email  string  `json:"email"`
	Status string  `json:"status"`
	Score  int     `json:"score"`
	Reason *string `json:"reason"`

	Done    bool `json:"done"`
	Charged int  `json:"charged"`
}

var client = http.Client{Timeout: 100 * time.Second}

// ask asks once and calls onResult in the order in which results are known. After an error it may be asked again, the
// wait at the earliest.
func ask(body []byte, key string, onResult func(Element)) (wait time.Duration, err error) {
	request, err := http.NewRequest(http.MethodPost, os.Getenv("RCPT_URL")+"/api/v1/verify", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RCPT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/x-ndjson")
	request.Header.Set("Idempotency-Key", key)
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if status := response.StatusCode; status != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		if status < 500 && status != http.StatusConflict && status != http.StatusTooManyRequests {
			// 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
			log.Fatalf("%d: %s", status, text)
		}
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return time.Duration(seconds) * time.Second, fmt.Errorf("%d: %s", status, text)
	}
	lines := json.NewDecoder(response.Body)
	for {
		var element Element
		if err := lines.Decode(&element); err != nil {
			return 0, fmt.Errorf("the answer was cut off: %w", err)
		}
		if element.Done {
			before, _ := strconv.Atoi(response.Header.Get("Idempotency-Charged"))
			log.Printf("charged %d", before+element.Charged)
			return 0, nil
		}
		onResult(element)
	}
}

// verify asks until the answer is whole. A repeat under the same key costs only what was not charged before.
func verify(emails []string) {
	body, err := json.Marshal(map[string][]string{"emails": emails})
	if err != nil {
		log.Fatal(err)
	}
	key := make([]byte, 16)
	rand.Read(key)
	known := map[int]bool{}
	for attempt := 0; attempt < attempts; attempt++ {
		wait, err := ask(body, hex.EncodeToString(key), func(result Element) {
			// A repeat has all results again.
			if !known[result.Index] {
				show(result)
			}
			known[result.Index] = true
		})
		if err == nil {
			return
		}
		log.Print(err)
		// Full jitter, so that many callers do not come back at once.
		time.Sleep(wait + time.Duration(mathrand.Int63n(int64(500*time.Millisecond)<<attempt)))
	}
	log.Fatal("The service does not answer: try again later, with the addresses that have no result.")
}

func show(result Element) {
	reason := "-"
	if result.Reason != nil {
		reason = *result.Reason
	}
	fmt.Println(result.Email, result.Status, result.Score, reason)
}

func main() {
	var emails []string
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		emails = append(emails, strings.TrimSpace(input.Text()))
		if len(emails) == perRequest {
			verify(emails)
			emails = nil
		}
	}
	if err := input.Err(); err != nil {
		log.Fatal(err)
	}
	if len(emails) > 0 {
		verify(emails)
	}
}
